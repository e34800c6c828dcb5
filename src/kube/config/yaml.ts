/** The YAML parser behind a module of ours, for the same reason as undici.ts. */
import { Composer, type CST, Lexer, LineCounter, Parser, type Tags, YAMLParseError } from 'yaml';
import { err, ok, type Result } from '../../result/result.ts';

/** Types that the parser of kubectl does not know: what looks like a time or a date is a text there. */
const textThere = ['intTime', 'floatTime', 'timestamp', 'binary', 'omap', 'pairs', 'set'];

const options = {
  schema: 'yaml-1.1',
  uniqueKeys: false,
  // A warning would quote the line.
  logLevel: 'error',
  // As would what a fault is made pretty by, which takes the time of the whole line for each.
  prettyErrors: false,
  customTags: (tags: Tags): Tags => [
    ...tags.filter((tag) =>
      typeof tag === 'string'
        ? !textThere.includes(tag)
        : tag.format !== 'TIME' && !textThere.some((name) => tag.tag === `tag:yaml.org,2002:${name}`),
    ),
    'intOct',
    { tag: 'tag:yaml.org,2002:binary', resolve: (text: string) => Buffer.from(text, 'base64').toString('utf8') },
  ],
} as const;

/**
 * A kubeconfig has about ten levels, and of each cluster with its user and context a hundred lexemes; kubectl sets no such
 * limits, but the parser takes the square of its time, and more memory than there is, for a hundred thousand levels.
 */
const mostOfConfig = { levels: 1000, lexemes: 1_000_000 } as const;
/** What a credential plugin prints has about thirty. */
export const mostOfCredential = { levels: 1000, lexemes: 10_000 } as const;

interface Most {
  readonly levels: number;
  readonly lexemes: number;
}

/** A text that holds more than what it is for. */
class Excess extends Error {}

/**
 * Reads YAML as kubectl does (sigs.k8s.io/yaml): the first document alone, the booleans of YAML 1.1 (`yes`, `on`), the
 * last of two equal keys. A fault says where and of which kind, and never quotes the text: it may be a credential.
 */
export function parseYaml(text: string, most: Most = mostOfConfig): Result<unknown, string> {
  const lineCounter = new LineCounter();
  lineCounter.addNewLine(0);
  try {
    const [document] = new Composer(options).compose(tokensOf(text, new Parser(lineCounter.addNewLine), most));
    const [error] = document?.errors ?? [];
    if (error !== undefined) throw error;
    return ok(document?.toJS() ?? null);
  } catch (error) {
    if (error instanceof Excess) return err(error.message);
    if (!(error instanceof YAMLParseError)) return err('an alias leads nowhere, or to too much');
    const at = lineCounter.linePos(error.pos[0]);
    const kind = error.code.toLowerCase().replaceAll('_', ' ');
    return err(`${kind} at line ${at.line}, column ${at.col}`);
  }
}

/** As `Parser.parse`, no further than to where the text holds too much. */
function* tokensOf(text: string, parser: Parser, most: Most): Generator<CST.Token, void> {
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    lexemes += 1;
    if (parser.stack.length > most.levels) throw new Excess(`nested deeper than ${most.levels} levels`);
    if (lexemes > most.lexemes) throw new Excess(`more than ${most.lexemes} words and signs`);
  }
  yield* parser.end();
}
