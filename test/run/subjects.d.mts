export declare function subjectsOf(files: readonly string[]): { readonly name: string; readonly files: string[] }[]
