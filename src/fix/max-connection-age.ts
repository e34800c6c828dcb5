import type { Language } from '../report/ids.ts';
import { duration } from '../report/words.ts';
import { ageAtClients, ageNote, ageOf, ageOver, graceNote, graceSeconds, hasAge, retryNote, retryOf } from './age.ts';
import { both, clientChannel, type FixContext, type Step, type StrategyFix, serverAge, step } from './parts.ts';
import { hostOf } from './subject.ts';
import { supportOf } from './support.ts';

/** A connection age at the server or, in languages without one, at the clients. */
export function maxConnectionAgeFix({ report, subject, language }: FixContext): StrategyFix {
  const ageSeconds = ageOf(report, 'max-connection-age');
  const target = `${hostOf(subject.name, subject.namespace)}:${subject.servicePort}`;
  const hasRetry = language === null || supportOf(language, 'retry').has;
  return {
    notes: [ageNote(ageSeconds), ...(hasAge(language) ? [graceNote] : []), ...(hasRetry ? [retryNote] : [])],
    manifests: [],
    ...both(
      serverAge(language, { ageSeconds, graceSeconds }),
      clientChannel(language, { target, roundRobin: false, health: false, ageSeconds }),
    ),
    steps: [
      step(`clients: ${clientChange(language, ageSeconds)}, and roll it out; their target stays`),
      ...(hasAge(language)
        ? [
            step(
              `server: add the age and roll it out, one pod first; the first pods up get most connections, until ${ageOver(ageSeconds)} after the last one is up`,
            ),
          ]
        : []),
      step(`wait ${ageOver(ageSeconds)}: by then every connection has been dealt anew`),
    ],
    undo: wayBack(language),
  };
}

function clientChange(language: Language | null, ageSeconds: number): string {
  const option = ageAtClients(language);
  return option === null
    ? retryOf(language)
    : `set ${option} to ${duration(ageSeconds)}, in the place of the age of a server; ${retryOf(language)}`;
}

function wayBack(language: Language | null): Step[] {
  const option = ageAtClients(language);
  return [
    ...(hasAge(language)
      ? [step('server: take the age out and roll it out; the first pods up then keep most connections')]
      : []),
    ...(option === null ? [] : [step(`clients: take ${option} out and roll it out`)]),
    step('clients: the retries may stay, they repeat only calls that met UNAVAILABLE'),
  ];
}
