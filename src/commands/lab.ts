import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { helpText } from '../cli/help.ts';
import { readDiagnosisOptions } from '../cli/options.ts';
import { maxOf } from '../figures/extremes.ts';
import type { Lab, LabOptions } from '../lab/lab.ts';
import { lowerFirst } from '../render/error.ts';
import { kubectl, shellCommand } from '../report/command.ts';
import { err, ok, type Result, wrongUsage } from '../result/result.ts';
import { didYouMean } from '../spelling/nearest.ts';
import { diagnoseCluster } from './diagnosis.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

export async function labHelp(): Promise<string> {
  const { scenarioSummaries } = await import('../lab/lab.ts');
  const width = maxOf(scenarioSummaries.map((scenario) => scenario.id.length));
  return helpText('lab', [
    '',
    'Scenarios:',
    ...scenarioSummaries.map((scenario) => `  ${scenario.id.padEnd(width)}  ${scenario.description}`),
  ]);
}

/** `grpc-skew lab [SCENARIO]`: an embedded cluster, diagnosed as if it were any cluster. */
export async function runLab(given: Arguments, host: Host): Promise<number> {
  const options = readDiagnosisOptions(withoutLabNames(given));
  if (!options.ok) return fail(host, options.error);
  const wanted = readLabOptions(given);
  if (!wanted.ok) return fail(host, wanted.error);
  const [{ startLab }, { parametersOf, scenarioOf, scenarios }] = await Promise.all([
    import('../lab/lab.ts'),
    import('../lab/scenarios.ts'),
  ]);
  const ids = scenarios.map(({ id }) => id);
  const { scenario } = wanted.value;
  const meant = ids.some((id) => id === scenario) ? null : didYouMean(scenario, ids);
  if (meant !== null) return fail(host, wrongUsage(`there is no scenario ${JSON.stringify(scenario)}`, meant));
  try {
    parametersOf(scenarioOf(wanted.value.scenario), wanted.value);
  } catch (error) {
    return fail(host, wrongUsage(inFlags(error), 'see kubectl grpc-skew lab --help'));
  }
  let lab: Lab | null = null;
  try {
    lab = await startLab(wanted.value);
    host.stderr(`lab: ${lab.description}\n`);
    await lab.ready;
    if (given.isSet('serve')) return await serve(lab, host);
    const flags = { kubeconfig: lab.kubeconfigPath, context: lab.contextName };
    return await diagnoseCluster(flags, { kind: 'service', name: lab.service }, options.value, host);
  } catch (error) {
    const message = `the lab failed: ${error instanceof Error ? error.message : String(error)}`;
    const hint = 'it needs free addresses of 127.0.0.0/8 and a folder for temporary files';
    return fail(host, { kind: 'failed', message, hint });
  } finally {
    await lab?.stop();
  }
}

/** What is wrong with a parameter, by the name of its flag. */
function inFlags(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return lowerFirst(message).replaceAll(/"(clients|from|to|seed)"/g, '--$1');
}

/** Keeps the lab running until Ctrl-C, and says how to reach it. */
async function serve(lab: Lab, host: Host): Promise<number> {
  const place = { context: lab.contextName, namespace: lab.namespace };
  host.stdout(
    [
      shellCommand(['export', `KUBECONFIG=${lab.kubeconfigPath}`]),
      `# then, in another terminal:`,
      ...[
        kubectl(place, ['get', 'pods'], ['-o', 'wide']),
        kubectl(place, ['grpc-skew', lab.service]),
        kubectl(place, ['grpc-skew', lab.service], ['--prometheus', lab.prometheusUrl]),
      ].map((command) => `#   ${command}`),
      `# Ctrl-C ends the lab.`,
      '',
    ].join('\n'),
  );
  if (!host.interrupted.aborted) {
    await new Promise<void>((resolve) => host.interrupted.addEventListener('abort', () => resolve(), { once: true }));
  }
  return exitCodes.done;
}

function readLabOptions(given: Arguments): Result<LabOptions> {
  const [scenario = 'scale-up', ...rest] = given.positionals;
  if (rest.length > 0) return err(wrongUsage('one scenario at a time', 'see kubectl grpc-skew lab --help'));
  const numbers: Record<string, number> = {};
  for (const name of ['clients', 'from', 'to', 'seed']) {
    const number = given.number(name);
    if (number !== null) numbers[name] = number;
  }
  return ok({ scenario, ...numbers });
}

/** `--clients` and `--from` mean other things in the lab than in a diagnosis. */
function withoutLabNames(given: Arguments): Arguments {
  return { ...given, text: (name) => (name === 'clients' || name === 'from' ? null : given.text(name)) };
}
