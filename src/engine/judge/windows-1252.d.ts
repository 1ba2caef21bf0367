// The package has its types, but does not export them.
declare module 'windows-1252' {
  export function decode(bytes: Uint8Array): string
}
