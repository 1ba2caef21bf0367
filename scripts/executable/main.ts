import module, { createRequire } from 'node:module'
import { cachedPackage } from './cached-package.js'
import { forkedScript } from './forked-script.js'
import { readParcel } from './parcel.js'
import { temporaryPackage } from './temporary-package.js'

/** The executable's program: makes sure that the package's files are on disk, and runs what Node would run. */
function main(): void {
  const parcel = readParcel()
  const forked = forkedScript(parcel, process.argv[2])
  if (forked !== undefined) {
    process.argv.splice(1, 2, forked)
    return load(forked)
  }
  const script = `${packageFolder()}/dist/cli.js`
  process.argv[1] = script
  load(script)

  function packageFolder(): string {
    const cached = cachedPackage(parcel, complain)
    if (cached !== undefined) keepCompiledCode(`${cached}/compiled`)
    else keepNoCompiledCode()
    return cached ?? temporaryPackage(parcel)
  }
}

type Compiler = { enableCompileCache?: (folder: string) => void }

/** Node 22 and newer keep the compiled code between starts. */
function keepCompiledCode(folder: string): void {
  ;(module as Compiler).enableCompileCache?.(folder)
}

/** The code of a temporary folder is never met again: what the program would keep of it would only pile up. */
function keepNoCompiledCode(): void {
  ;(module as Compiler).enableCompileCache = undefined
}

/** The `require` that an executable begins with knows Node's own modules only. */
function load(script: string): void {
  createRequire(script)(script)
}

function complain(message: string): void {
  process.stderr.write(`countersign: ${message}\n`)
}

try {
  main()
} catch (error) {
  complain((error as Error).message)
  process.exitCode = 1
}
