import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.spec.js',
  fullyParallel: true,
  workers: 4,
  use: {
    baseURL: 'http://127.0.0.1:4174',
    // An installed browser in place of Playwright's own.
    launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } : {},
  },
  // One app for all workers: it has COUNTERSIGN_URL from `countersign exec`.
  webServer: { command: 'next start --hostname 127.0.0.1 --port 4174', url: 'http://127.0.0.1:4174' },
})
