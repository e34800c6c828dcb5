import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { explain, explainAll } from '../explain/explain.ts';
import { type ExplainOutput, renderExplanation } from '../render/explain.ts';
import { wrongUsage } from '../result/result.ts';
import { didYouMean } from '../spelling/nearest.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

/** `grpc-skew explain [NAME]`: what a cause, strategy, signal or state is. Asks nothing of a cluster. */
export function runExplain(given: Arguments, host: Host): number {
  const [id, extra] = given.positionals;
  if (extra !== undefined)
    return fail(host, wrongUsage('one name at a time', 'kubectl grpc-skew explain alone lists them all'));
  const document = id === undefined ? explainAll() : explain(id.toLowerCase());
  if (document === null) {
    const names = explainAll().items.map((item) => item.id);
    return fail(
      host,
      wrongUsage(
        `nothing is called ${id}`,
        didYouMean(id ?? '', names) ?? 'kubectl grpc-skew explain alone lists what there is',
      ),
    );
  }
  const wanted: ExplainOutput = {
    // The table of flags has checked the values.
    output: (given.text('output') ?? 'table') as ExplainOutput['output'],
    color: (given.text('color') ?? 'auto') as ExplainOutput['color'],
  };
  host.stdout(renderExplanation(document, wanted, host));
  return exitCodes.done;
}
