/** The client of SOCKS5 behind a module of ours, for the same reason as undici.ts. */
export { SocksClient } from 'socks';
