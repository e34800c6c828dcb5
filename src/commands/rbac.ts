import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { isName } from '../cli/target.ts';
import { onlyByName, type SignalId, signalIds } from '../evidence/signal-ids.ts';
import { loadConnection } from '../kube/config/files.ts';
import { defined } from '../kube/errors/unknown-json.ts';
import { type RoleSubject, renderRoles } from '../render/rbac.ts';
import { err, ok, type Result, wrongUsage } from '../result/result.ts';
import { rulesFor } from '../signals/rights.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';
import { kubeHost } from './kube.ts';

/**
 * `grpc-skew rbac [--for SIGNALS]`: the least rights for what one wants to see, in the namespace of the context. Asks
 * nothing of a cluster.
 */
export async function runRbac(given: Arguments, host: Host): Promise<number> {
  const extra = given.positionals[0];
  if (extra !== undefined)
    return fail(
      host,
      wrongUsage(`rbac takes no argument, not ${extra}`, 'choose signals with --for service,endpoints'),
    );
  const namespace = given.text('namespace') ?? (await namespaceOfContext(given, host));
  if (!isName(namespace))
    return fail(host, wrongUsage(`${JSON.stringify(namespace)} is no name of a namespace`, 'write -n shop'));
  const subjects = readSubjects(given);
  if (!subjects.ok) return fail(host, subjects.error);
  // The table of flags has checked the names.
  const usual = signalIds.filter((id) => !onlyByName.includes(id));
  const wanted = (given.text('for')?.split(',') ?? usual) as readonly SignalId[];
  // Without the Service and its pods there is no diagnosis.
  const rules = rulesFor([...new Set<SignalId>(['service', 'endpoints', ...wanted])]);
  host.stdout(renderRoles(rules, namespace, subjects.value));
  return exitCodes.done;
}

/** As kubectl finds it; without a kubeconfig `default`. */
async function namespaceOfContext(given: Arguments, host: Host): Promise<string> {
  const flags = { kubeconfig: given.text('kubeconfig') ?? undefined, context: given.text('context') ?? undefined };
  const connection = await loadConnection(defined(flags), { ...kubeHost(host, 0), log: () => {} });
  return connection.ok ? connection.value.namespace : 'default';
}

/** Who gets the rights, written as for `kubectl create rolebinding`. */
function readSubjects(given: Arguments): Result<readonly RoleSubject[]> {
  const value: RoleSubject[] = [];
  for (const kind of ['User', 'Group'] as const)
    for (const name of given.list(kind.toLowerCase())) value.push({ kind, name });
  for (const account of given.list('serviceaccount')) {
    const [namespace = '', name = '', ...rest] = account.split(':');
    if (!isName(namespace) || !isName(name) || rest.length > 0)
      return err(
        wrongUsage(`--serviceaccount takes NAMESPACE:NAME, not ${account}`, 'write --serviceaccount ci:deployer'),
      );
    value.push({ kind: 'ServiceAccount', namespace, name });
  }
  return ok(value);
}
