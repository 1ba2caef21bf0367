import { defineConfig } from '@playwright/test'

export default defineConfig({
  webServer: {
    command: 'npx countersign --port 4010 --seed 1 --clock 2026-01-15T09:30:00Z',
    url: 'http://127.0.0.1:4010/__admin/health',
    reuseExistingServer: true,
  },
})
