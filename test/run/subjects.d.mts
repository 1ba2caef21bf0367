export declare function subjectsOf(files: readonly string[]): { readonly name: string; readonly files: string[] }[]
export declare function selectFiles(wanted: { readonly names: readonly string[]; readonly long: boolean }): string[]
