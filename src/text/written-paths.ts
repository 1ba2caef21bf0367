import { dirname, resolve, sep } from 'node:path'

/** How the user wrote paths, by the absolute paths that they mean. */
export type WrittenPaths = Readonly<Record<string, string>>

/** Paths as they were written, relative ones from a folder on; what lies beside them is named alike. */
export function writtenPaths(folder: string, names: readonly string[]): WrittenPaths {
  const paths = names.map((name) => [resolve(folder, name), name.replace(/(?<=.)[/\\]+$/, '')] as const)
  const beside = paths.map(([path, name]) => [dirname(path), folderOf(name)] as const)
  return Object.fromEntries([...beside, [resolve(folder), ''], ...paths])
}

/** The folder that a written path names before its last part; nothing where that is all. */
function folderOf(name: string): string {
  const end = Math.max(name.lastIndexOf('/'), name.lastIndexOf(sep))
  return end === 0 ? sep : name.slice(0, Math.max(0, end))
}

/** A file or folder as the user wrote it or a folder above it; the full path if the user wrote neither. */
export function asWritten(written: WrittenPaths, path: string): string {
  for (let above = path; ; above = dirname(above)) {
    const name = written[above]
    const rest = path.slice(above.length)
    if (name !== undefined) return name === '' ? rest.replace(/^[/\\]/, '') : `${name}${rest}`
    if (above === dirname(above)) return path
  }
}
