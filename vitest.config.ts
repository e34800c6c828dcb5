import { defineConfig } from 'vitest/config';
import { scoreboard } from './test/cases/scoreboard.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Vitest leaves a core free unless told otherwise: of two that is half.
    maxWorkers: '100%',
    env: { FORCE_COLOR: '0', TZ: 'UTC' },
    globalSetup: ['test/build-once.ts'],
    testTimeout: 20_000,
    reporters: ['default', scoreboard((text) => process.stdout.write(text))],
  },
});
