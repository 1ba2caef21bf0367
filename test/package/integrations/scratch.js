import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** A folder with these files, which can import the packages that are installed here. */
export function scratch(t, files) {
  const folder = mkdtempSync(fileURLToPath(new URL('../scratch-', import.meta.url)))
  return writeFiles(t, folder, files)
}

/** A folder with these files, which can import only a copy of this package. */
export function alone(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-alone-'))
  cpSync(join(modules, 'countersign'), join(folder, 'node_modules/countersign'), { recursive: true })
  return writeFiles(t, folder, files)
}

function writeFiles(t, folder, files) {
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export function run(cwd, args, env = {}) {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env: { ...inherited, NO_COLOR: '1', ...env } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    )
  })
}

export const bin = (name) => join(modules, '.bin', name)
