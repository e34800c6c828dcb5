import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    env: { FORCE_COLOR: '0', TZ: 'UTC' },
    globalSetup: ['test/build-once.ts'],
    testTimeout: 20_000,
  },
});
