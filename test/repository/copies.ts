import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { folder } from '../binary.js'

export function copyOf(t: Test): string {
  const copy = folder(t)
  for (const part of ['src', 'schemas', 'scripts', 'fixtures', 'package.json', 'tsconfig.json', 'build.mjs'])
    cpSync(part, join(copy, part), { recursive: true })
  cpSync('dist/assets', join(copy, 'dist/assets'), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  return copy
}

export function node(cwd: string, ...args: readonly string[]): string {
  const env = { ...process.env, NODE_OPTIONS: '' }
  return execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

export function typeErrors(copy: string, include: readonly string[]): string {
  const config = { extends: './tsconfig.json', include, exclude: ['src/tools/dashboard/browser'] }
  writeFileSync(join(copy, 'some.json'), JSON.stringify(config))
  try {
    // NODE_OPTIONS loads the test runner into every Node, where the compiler then cannot run.
    const compile = ['-u', 'NODE_OPTIONS', process.execPath, 'node_modules/.bin/tsc', '--noEmit', '-p', 'some.json']
    return execFileSync('env', compile, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    return `${stdout}${stderr}`
  }
}

export function runProgram(copy: string, program: string, ...args: readonly string[]): string {
  writeFileSync(join(copy, 'program.ts'), program)
  // The name is split, because bundling this test would replace it.
  const define = `--define:import.meta${'.url'}="file://${join(copy, 'dist/program.mjs')}"`
  const bundle = ['program.ts', '--bundle', '--platform=node', '--format=esm', '--packages=external', define]
  const esbuild = join(copy, 'node_modules/.bin/esbuild')
  execFileSync(esbuild, [...bundle, '--outfile=dist/program.mjs', '--log-level=error'], { cwd: copy })
  return node(copy, 'dist/program.mjs', ...args).trim()
}
