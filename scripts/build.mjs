// Bundles src/main.ts to dist/, or to the folder that is named.
import { bundle } from './bundle.ts';

await bundle(process.argv[2] ?? 'dist');
