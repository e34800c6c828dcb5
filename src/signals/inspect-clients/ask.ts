import type { SocketWay } from '../../evidence/looks.ts';
import { socketCommand } from '../connections/ask.ts';

/** The argument vector that shows what a client is connected to: as at a server, but by the port of the far end. */
export function dialledCommand(way: SocketWay, ports: readonly number[]): readonly string[] {
  const command = socketCommand(way, ports);
  if (way !== 'ss') return command;
  const filter = command.slice(command.indexOf('(')).map((word) => (word === 'sport' ? 'dport' : word));
  return ['ss', '-tnH', 'state', 'established', ...filter];
}

/** The name of the first process of a container: the kernel keeps 15 characters of it, and no arguments. */
export const runtimeCommand = ['cat', '/proc/1/comm'] as const;
