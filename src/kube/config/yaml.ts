/** The YAML parser behind a module of ours, for the same reason as undici.ts. */
import { Lexer, LineCounter, Parser, parseAllDocuments, type Tags, YAMLParseError } from 'yaml';
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

/** A kubeconfig has about ten; the parser takes its time squared, and more memory than there is, for a hundred thousand. */
const mostLevels = 1000;

/**
 * Reads YAML as kubectl does (sigs.k8s.io/yaml): the first document alone, the booleans of YAML 1.1 (`yes`, `on`), the
 * last of two equal keys. A fault says where and of which kind, and never quotes the text: it may be a credential.
 */
export function parseYaml(text: string): Result<unknown, string> {
  if (isTooDeep(text)) return err(`nested deeper than ${mostLevels} levels`);
  const lineCounter = new LineCounter();
  try {
    const [document] = parseAllDocuments(text, { ...options, lineCounter });
    const [error] = document?.errors ?? [];
    if (error !== undefined) throw error;
    return ok(document?.toJS() ?? null);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) return err('an alias leads nowhere, or to too much');
    const at = lineCounter.linePos(error.pos[0]);
    const kind = error.code.toLowerCase().replaceAll('_', ' ');
    return err(`${kind} at line ${at.line}, column ${at.col}`);
  }
}

/** Looks no further than to where it is. */
function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > mostLevels) return true;
  }
  return false;
}
