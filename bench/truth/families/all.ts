import type { Family } from '../family.ts';
import { ageing } from './ageing.ts';
import { directed } from './directed.ts';
import { faults } from './faults.ts';
import { proxies } from './proxies.ts';
import { settings } from './settings.ts';
import { sticky } from './sticky.ts';

/** All families, in the order of the report. A new one is an entry of one of these lists. */
export const families: readonly Family[] = [...sticky, ...ageing, ...settings, ...directed, ...proxies, ...faults];
