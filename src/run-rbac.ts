import type { Arguments } from './cli/arguments.ts';
import { exitCodes } from './cli/exit-codes.ts';
import { isName } from './cli/target.ts';
import { onlyByName, type SignalId, signalIds } from './evidence/signal-ids.ts';
import type { Host } from './host.ts';
import { renderRoles } from './render/rbac.ts';
import { usage } from './run.ts';
import { rulesFor } from './signals/rights.ts';

/** `grpc-skew rbac [--for SIGNALS]`: the least rights for what one wants to see. Asks nothing of a cluster. */
export function runRbac(given: Arguments, host: Host): number {
  const extra = given.positionals[0];
  if (extra !== undefined)
    return usage(host, {
      message: `rbac takes no argument, not ${extra}`,
      hint: 'choose signals with --for service,endpoints',
    });
  const namespace = given.text('namespace') ?? 'default';
  if (!isName(namespace))
    return usage(host, { message: `${JSON.stringify(namespace)} is no name of a namespace`, hint: 'write -n shop' });
  // The table of flags has checked the names.
  const usual = signalIds.filter((id) => !onlyByName.includes(id));
  const wanted = (given.text('for')?.split(',') ?? usual) as readonly SignalId[];
  // Without the Service and its pods there is no diagnosis.
  host.stdout(renderRoles(rulesFor([...new Set<SignalId>(['service', 'endpoints', ...wanted])]), namespace));
  return exitCodes.done;
}
