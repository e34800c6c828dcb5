import type { Language, StrategyId } from '../report/ids.ts';
import { type Problem, wrongUsage } from '../result/result.ts';
import { type Feature, languageNames, supportOf } from './support.ts';

/** What the library of the clients cannot be without. What the server lacks, something else stands in for. */
const needed: Readonly<Partial<Record<StrategyId, Feature>>> = {
  'headless-round-robin': 'round-robin',
  'proxyless-xds': 'xds',
};

/** Why clients in a language can do nothing for a strategy; null where they can, or where the language is not known. */
export function missingFeature(language: Language | null, strategy: StrategyId): Problem | null {
  const feature = needed[strategy];
  if (language === null || feature === undefined) return null;
  const support = supportOf(language, feature);
  if (support.has) return null;
  return wrongUsage(
    `${strategy} does not work with clients in ${languageNames[language]}: ${support.why}`,
    `instead: ${support.instead}`,
  );
}
