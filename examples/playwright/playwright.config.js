import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.spec.js',
  workers: 2,
  use: {
    baseURL: 'http://127.0.0.1:4173',
    // An installed browser in place of Playwright's own.
    launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } : {},
  },
  webServer: { command: 'node app/serve.js', url: 'http://127.0.0.1:4173' },
})
