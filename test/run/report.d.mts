import type { Result } from './subject.mjs'

export declare function subjectLines(result: Result): string[]
export declare function summaryLines(results: readonly Result[], took: number): string[]
