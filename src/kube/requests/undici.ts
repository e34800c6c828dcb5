/**
 * undici behind a module of ours, so that it can be loaded on the first request: a bundler gives the dynamic import of a
 * CommonJS package only a default export.
 */
export { Agent, buildConnector, request } from 'undici';
