export declare const INSTALL_BROWSER: string
export declare function findBrowser(environment?: NodeJS.ProcessEnv): string | undefined
