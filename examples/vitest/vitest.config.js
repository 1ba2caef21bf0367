import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One server for the whole run; under `countersign exec`, the one of exec.
    globalSetup: ['countersign/vitest'],
    maxWorkers: 4,
  },
})
