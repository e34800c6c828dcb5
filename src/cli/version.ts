declare const __TOOL_VERSION__: string | undefined;

/** The version of the package, put in by the bundler; `dev` when run from the sources. */
export const toolVersion: string = typeof __TOOL_VERSION__ === 'string' ? __TOOL_VERSION__ : 'dev';
