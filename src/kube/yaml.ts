/** The YAML parser behind a module of ours, for the same reason as undici.ts. */
export { parse } from 'yaml';
