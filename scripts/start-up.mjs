// Plugins of the bundler that keep what a start does not need out of the files that it loads.
import { dirname, resolve } from 'node:path'
import { precompiledChecks } from './precompile.mjs'

/** Packages that are required only where they are asked for: each is a file of its own, `dist/NAME.js`. */
export const apart = ['ajv', 'light-my-request', 'pino']

/** What Fastify would check and write bodies with: contracts do that here (src/http/app.ts). */
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/** Code that stands in the place of a module's for those who require it. */
const inPlaceOf = {
  // Only plugins that ask for a version of Fastify are compared with one.
  semver: `
    module.exports = {
      get satisfies() { return require('semver/functions/satisfies') },
      get coerce() { return require('semver/functions/coerce') },
      get gt() { return require('semver/functions/gt') },
    }`,
  // Fastify loads them for servers of other protocols than ours.
  'node:http2': loadedOnUse('node:http2'),
  'node:https': loadedOnUse('node:https'),
}

function loadedOnUse(name) {
  return `module.exports = new Proxy({}, { get: (_, key) => require('${name}')[key] })`
}

export const plugins = [
  plugin('precompiled checks', ({ onLoad }) => {
    onLoad({ filter: /[\\/]precompiled-checks\.ts$/ }, async ({ path }) => ({
      contents: await precompiledChecks(),
      resolveDir: dirname(path),
    }))
  }),
  plugin('apart', ({ onResolve }) => {
    onResolve({ filter: anyOf(apart) }, ({ path, kind }) =>
      kind === 'require-call' ? { path: `./${path}.js`, external: true } : undefined,
    )
  }),
  plugin('unused', ({ onResolve, onLoad }) => {
    onResolve({ filter: anyOf(unused) }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({
      contents: `throw new Error('${path} is not part of the bundle.')`,
    }))
  }),
  plugin('in place of', ({ onResolve, onLoad }) => {
    onResolve({ filter: anyOf(Object.keys(inPlaceOf)) }, ({ path, importer, namespace }) =>
      namespace === 'file' && /[\\/]node_modules[\\/]fastify[\\/]/.test(importer)
        ? { path, namespace: 'in-place' }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'in-place' }, ({ path }) => ({
      contents: inPlaceOf[path],
      resolveDir: resolve('node_modules/fastify'),
    }))
  }),
]

function plugin(name, setup) {
  return { name, setup }
}

function anyOf(names) {
  return new RegExp(`^(?:${names.join('|')})$`)
}
