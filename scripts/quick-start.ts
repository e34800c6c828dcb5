import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { oneColumnText } from '../src/render/one-column.ts';

/** In the text of a package: what stands there, and what takes its place. */
type Edit = readonly [from: string | RegExp, to: string | ((...found: readonly string[]) => string)];

/** Ways to the first frame that packages take and that cost more than they need; what they answer stays the same. */
const edits: readonly { readonly files: RegExp; readonly edits: readonly Edit[] }[] = [
  {
    // The WebAssembly is in a data: URL. Without fetch it is decoded on the spot; with it Node.js first loads a whole HTTP
    // client of its own, beside the one that is bundled.
    files: /yoga-wasm-base64-esm\.js$/,
    edits: [['var loadYoga', 'const fetch = undefined;\nvar loadYoga']],
  },
  {
    // Most of what is measured is plain; the regular expression for emoji takes 25 ms to make in each copy of the package,
    // used or not, and a segmenter takes long, too.
    files: /string-width[\\/]index\.js$/,
    edits: [
      [
        'const segmenter = new Intl.Segmenter();',
        'let made;\nconst segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };',
      ],
      [
        /^const (\w+) = \/(.*\\p\{RGI_Emoji\}.*)\/v;$/m,
        (_, name, pattern = '') => `let readyEmoji;
const emoji = () => (readyEmoji ??= new RegExp(${JSON.stringify(pattern)}, 'v'));
const ${name} = { test: (text) => emoji().test(text), exec: (text) => emoji().exec(text) };`,
      ],
      [
        'export default function stringWidth(input, options = {}) {',
        `const oneColumnText = ${oneColumnText};
const styles = /\\u001B\\[[\\d;]*m/g;
export default function stringWidth(input, options = {}) {
	if (typeof input === 'string' && options.countAnsiEscapeCodes !== true && options.ambiguousIsNarrow !== false) {
		const bare = input.includes('\\u001B') ? input.replace(styles, '') : input;
		if (oneColumnText.test(bare)) return bare.length;
	}
`,
      ],
    ],
  },
];

/** Applies these edits while bundling; a package that has changed stops the build, so that nothing is lost in silence. */
export const quickStart: Plugin = {
  name: 'quick-start',
  setup(build) {
    // An import of node:http reads all that the module has, and with its WebSocket Node.js loads a whole HTTP client of its
    // own; what is required is read when it is used.
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'required' } : null,
    );
    build.onLoad({ filter: /^http$/, namespace: 'required' }, () => ({
      contents: "module.exports = require('node:http');",
    }));
    for (const { files, edits: wanted } of edits) {
      build.onLoad({ filter: files }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        // cli-table3 brings an old version in CommonJS, which stays as it is.
        if (contents.startsWith("'use strict'")) return { contents };
        for (const [from, to] of wanted) {
          if (typeof from === 'string' ? !contents.includes(from) : !from.test(contents))
            return { errors: [{ text: `${path} has changed: ${from} is not in it any more` }] };
          contents = contents.replace(from, typeof to === 'string' ? () => to : to);
        }
        return { contents };
      });
    }
  },
};
