import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Starts one server for the whole run, or uses the server of `countersign exec`.
    globalSetup: ['countersign/vitest'],
    maxWorkers: 4,
  },
})
