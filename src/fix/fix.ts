import { diagnoseCommand, shellCommand, unknownContext } from '../report/command.ts';
import { type Language, type LanguageId, languages, type StrategyId } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { err, ok, type Result } from '../result/result.ts';
import type { Mesh } from './meshes.ts';
import { applyManifests, isAmbient, type Step, type StrategyFix, step } from './parts.ts';
import { missingFeature } from './requirements.ts';
import { fixes } from './strategies.ts';
import { subjectOf } from './subject.ts';

/** What is asked for; null takes what the report recommends or shows. */
export interface FixWish {
  readonly strategy: StrategyId | null;
  readonly language: LanguageId | null;
  readonly mesh: Mesh | null;
}

/** The change for one Service, ready to use. Printed, never applied. */
export interface Fix extends StrategyFix {
  readonly service: string;
  readonly namespace: string;
  readonly strategy: StrategyId;
  readonly title: string;
  /** What the diagnosis says to this choice: the one it recommends, or another. */
  readonly standing: string;
  readonly because: readonly string[];
  readonly against: readonly string[];
  readonly first: readonly string[];
  /** For each of first the command that shows more; null: none. */
  readonly commands: readonly (string | null)[];
  /** What applies the manifests from its standard input. */
  readonly apply: string | null;
  /** The look that proves the change, against the one that is kept before it. */
  readonly proof: readonly Step[];
}

export function planFix(report: SkewReport, wish: FixWish): Result<Fix> {
  const subject = subjectOf(report);
  if (subject === null) {
    const message = 'the report has no port, or names that no cluster has: no manifest can be made of it';
    return err({ kind: 'failed', message, hint: 'diagnose the Service in its cluster' });
  }
  const { recommendation } = report.status;
  const strategy = wish.strategy ?? recommendation.strategy;
  const isRecommended = strategy === recommendation.strategy;
  const language = known(wish.language);
  const keeps = wish.strategy === null && recommendation.action === 'keep';
  const impossible = keeps ? null : missingFeature(language, strategy);
  if (impossible !== null) return err({ ...impossible, kind: 'failed' });
  const answer = recommendation.strategies.find((entry) => entry.id === strategy);
  const base = {
    service: subject.name,
    namespace: subject.namespace,
    strategy,
    title: answer?.title ?? strategy,
    standing: isRecommended
      ? `recommended: ${recommendation.action}`
      : strategy === recommendation.alternative
        ? `the alternative to ${recommendation.strategy}`
        : `not recommended here; that is ${recommendation.strategy} (${recommendation.action})`,
    because: isRecommended ? recommendation.because : (answer?.fits ?? []),
    against: answer?.against ?? [],
    first: recommendation.first,
    commands: recommendation.commands ?? [],
    apply: applyManifests(subject.at),
  };
  const parts = keeps
    ? keepParts(strategy)
    : fixes[strategy]({ report, subject, language, mesh: wish.mesh ?? meshOf(report) });
  const changes = parts.steps.length > 0;
  const steps = changes
    ? [
        step('keep what is seen now, to prove the change by', diagnoseCommand(report, ['--record', 'before.json'])),
        ...parts.steps,
      ]
    : [];
  const notes = [
    ...parts.notes,
    ...(wish.language === null && parts.options.length > 0
      ? [`--language prints the code, or what to do instead: ${languages.join(', ')}`]
      : []),
    ...(changes ? contextNotes(subject.at.context, base.apply) : []),
  ];
  const proof = changes
    ? [
        step(
          'exit code 0: improved and no longer skewed; 3: skewed, or no better than before; 4: cannot be told',
          diagnoseCommand(report, ['--baseline', 'before.json', '--fail-on', 'skewed,unchanged,worse']),
        ),
        step('how it was', shellCommand(['kubectl', 'grpc-skew', '--from', 'before.json'])),
      ]
    : [];
  return ok({ ...base, ...parts, notes, steps, proof });
}

/** What is to be done by hand about the context of the commands. */
function contextNotes(context: string | null, command: string | null): string[] {
  if (command === null)
    return ['no command that reaches the cluster is printed: the name of its context cannot be typed as it is shown'];
  return context === null ? [`${unknownContext} in the commands: put the context of this cluster there`] : [];
}

function keepParts(strategy: StrategyId): StrategyFix {
  return {
    notes: [`${strategy} is kept: nothing to apply; --strategy prints the change of another one`],
    manifests: [],
    code: [],
    options: [],
    steps: [],
    undo: [],
  };
}

/** Of `mixed`, and where nothing is known, it is only said which languages can do what. */
export function known(language: string | null): Language | null {
  return languages.find((each) => each === language) ?? null;
}

/** The mesh that was seen; a gateway needs none. */
function meshOf(report: SkewReport): Mesh {
  const { path, service } = report.status;
  const proxies = [...service.proxies, ...path.hops.map((hop) => hop.name)];
  if (proxies.includes('istio-proxy') || isAmbient(report)) return 'istio';
  if (path.hops.some((hop) => hop.kind === 'cilium')) return 'cilium';
  return proxies.includes('linkerd-proxy') ? 'linkerd' : 'gateway';
}
