/** Every sentence that the sources hold: what the program can print, with `{}` where it puts something in. */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Node } from '@vscode/tree-sitter-wasm';

const require = createRequire(import.meta.url);
const { Language, Parser }: typeof import('@vscode/tree-sitter-wasm') = require('@vscode/tree-sitter-wasm');
const wasm = fileURLToPath(new URL('../../node_modules/@vscode/tree-sitter-wasm/wasm/', import.meta.url));

export interface Sentence {
  readonly file: string;
  readonly text: string;
}

/** Code, manifests, scripts and protocol texts are no sentences. */
const noWords = [
  /^src\/fix\/(client-code|server-code|service-config|manifests)\.ts$/,
  /^src\/cli\/completion-scripts\.ts$/,
  /^src\/lab\/(api|exec|objects|traffic)\//,
  /^src\/kube\/(exec|frames|request|websocket|transport|session)/,
];

/** Two words at least, of which one is of letters alone and long enough to be none of a command. */
const isSentence = (text: string) =>
  /\p{L}{3,}/u.test(text) && /\S \S/.test(text) && !text.includes('\n') && !/^(kubectl |\{?\}?--)/.test(text);

export async function collectSentences(): Promise<Sentence[]> {
  await Parser.init({ locateFile: (name: string) => join(wasm, name) });
  const parsers = new Map(
    await Promise.all(
      ['typescript', 'tsx'].map(async (grammar) => {
        const parser = new Parser();
        parser.setLanguage(await Language.load(join(wasm, `tree-sitter-${grammar}.wasm`)));
        return [grammar, parser] as const;
      }),
    ),
  );
  return globSync('src/**/*.{ts,tsx}')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !noWords.some((pattern) => pattern.test(file)))
    .sort()
    .flatMap((file) => {
      const tree = parsers.get(file.endsWith('x') ? 'tsx' : 'typescript')?.parse(readFileSync(file, 'utf8'));
      if (tree == null) throw new Error(`${file} could not be parsed`);
      const texts = textsOf(tree.rootNode).filter(isSentence);
      return [...new Set(texts)].map((text) => ({ file, text }));
    });
}

function textsOf(node: Node): string[] {
  if (node.type === 'import_statement' || node.type === 'literal_type' || node.type === 'regex') return [];
  const own = node.type === 'string' || node.type === 'template_string' ? [textOf(node)] : [];
  return [...own, ...node.children.flatMap((child) => (child === null ? [] : textsOf(child)))];
}

/** The text of a literal, with `{}` for each substitution. */
function textOf(node: Node): string {
  return node.children
    .map((child) => {
      switch (child?.type) {
        case 'string_fragment':
          return child.text;
        case 'template_substitution':
          return '{}';
        case 'escape_sequence':
          return child.text === "\\'" ? "'" : child.text;
        default:
          return '';
      }
    })
    .join('');
}
