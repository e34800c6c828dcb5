import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { explain, explainAll } from '../explain/explain.ts';
import { type ExplainOutput, renderExplanation } from '../render/explain.ts';
import { wrongUsage } from '../result/result.ts';
import { didYouMean } from '../spelling/nearest.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

/** `grpc-skew explain [NAME]`: what a word of a report means, by its id or as a screen writes it. Asks nothing of a cluster. */
export function runExplain(given: Arguments, host: Host): number {
  const { positionals } = given;
  // `by setting`, as a screen writes it, with or without quotes.
  const id = positionals.join(' ');
  const document = positionals.length === 0 ? explainAll() : explain(id);
  if (document === null && positionals.length > 1)
    return fail(host, wrongUsage('one name at a time', 'kubectl grpc-skew explain alone lists them all'));
  if (document === null) {
    const names = explainAll().items.map((item) => item.id);
    return fail(
      host,
      wrongUsage(
        `nothing is called ${id}`,
        didYouMean(id, names) ?? 'kubectl grpc-skew explain alone lists what there is',
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
