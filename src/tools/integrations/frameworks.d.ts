// Types of frameworks that are not installed here; the examples test them against the real packages.
declare module 'msw' {
  export interface RequestHandler {
    readonly info: { readonly header: string }
  }
  type Resolver = (info: { readonly request: Request }) => Promise<Response>
  export const http: { all(predicate: string | RegExp, resolver: Resolver): RequestHandler }
  export const HttpResponse: { error(): Response }
}

declare module '@playwright/test' {
  import type { Browser, BrowserContext } from 'playwright-core'

  export type { BrowserContext }

  type RequestOptions = { readonly headers?: Readonly<Record<string, string>> }
  export interface APIRequestContext {
    fetch(url: string | object, options?: RequestOptions): Promise<unknown>
  }
  export interface TestInfo {
    readonly testId: string
    readonly retry: number
    readonly titlePath: readonly string[]
    readonly file: string
    readonly status?: string
    readonly expectedStatus: string
    attach(name: string, options: { body: string; contentType: string }): Promise<void>
  }
  export interface PlaywrightTestArgs {
    request: APIRequestContext
    context: BrowserContext
  }
  export interface PlaywrightTestOptions {
    baseURL: string | undefined
  }
  export interface PlaywrightWorkerArgs {
    browser: Browser
  }
  export interface PlaywrightWorkerOptions {}
  type Fixture<T, Args> = (args: Args, use: (value: T) => Promise<void>, info: TestInfo) => Promise<void>
  type FixtureOptions = { readonly scope?: 'worker'; readonly option?: boolean; readonly auto?: boolean }
  type FixtureDefinitions<T, All> = {
    [K in keyof T]?: Fixture<T[K], All> | readonly [T[K] | Fixture<T[K], All>, FixtureOptions]
  }
  export interface TestType<Test, Worker> {
    extend<T, W>(
      fixtures: FixtureDefinitions<T & W, Test & Worker & T & W> &
        FixtureDefinitions<Partial<Test & Worker>, Test & Worker & T & W>,
    ): TestType<Test & T, Worker & W>
  }
  export const expect: unknown
  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >
}

declare module 'vitest' {
  export interface ProvidedContext {}
}
