import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { type FixWish, known, planFix } from '../fix/fix.ts';
import type { Mesh } from '../fix/meshes.ts';
import { missingFeature } from '../fix/requirements.ts';
import { renderFix, renderManifests } from '../render/fix.ts';
import type { LanguageId, StrategyId } from '../report/ids.ts';
import { wrongUsage } from '../result/result.ts';
import { runDiagnosis } from './diagnosis.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

/** `grpc-skew fix SERVICE`: the usual diagnosis, once, and then the change for this Service. Prints, never applies. */
export async function runFix(given: Arguments, host: Host): Promise<number> {
  if (given.positionals.length === 0 && given.text('from') === null)
    return fail(host, wrongUsage('no Service is named', 'write kubectl grpc-skew fix SERVICE'));
  // The table of flags has checked the values.
  const wish: FixWish = {
    strategy: given.text('strategy') as StrategyId | null,
    language: given.text('language') as LanguageId | null,
    mesh: given.text('mesh') as Mesh | null,
  };
  // The language of the clients decides the advice, too: some have no balancing policy.
  const asked: Arguments = {
    ...given,
    text: (name) => given.text(name) ?? (name === 'languages' ? given.text('language') : null),
  };
  // Known before anything is asked of a cluster.
  const impossible = wish.strategy === null ? null : missingFeature(known(asked.text('languages')), wish.strategy);
  if (impossible !== null) return fail(host, impossible);
  return runDiagnosis(asked, host, (report, options) => {
    const answer = planFix(report, { ...wish, language: wish.language ?? options.language });
    if (!answer.ok) return fail(host, answer.error);
    const asYaml = given.text('output') === 'yaml';
    host.stdout(asYaml ? renderManifests(answer.value) : renderFix(answer.value, options.color, host));
    return exitCodes.done;
  });
}
