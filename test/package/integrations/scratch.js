import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** A folder below this one, with these files; packages that are installed here can be imported in it. */
export function scratch(t, files) {
  const folder = mkdtempSync(fileURLToPath(new URL('../scratch-', import.meta.url)))
  return filled(t, folder, files)
}

/** A copy of this package alone, without what else is installed here. */
export function alone(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-alone-'))
  cpSync(join(modules, 'countersign'), join(folder, 'node_modules/countersign'), { recursive: true })
  return filled(t, folder, files)
}

function filled(t, folder, files) {
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export function run(cwd, args, env = {}) {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env: { ...own, NO_COLOR: '1', ...env } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    )
  })
}

export const bin = (name) => join(modules, '.bin', name)
