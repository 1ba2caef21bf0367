import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import type { Contract } from '../../src/engine/contract/contract.js'
import { isFile } from '../../src/engine/contract/fields.js'
import { all, build, fixtureFile, lastExchange, multipart, type requestOf, type Server, send } from '../helper.js'

const names: Readonly<Record<string, (name: string) => string>> = {
  'camel case': (name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  hyphens: (name) => name.replaceAll('_', '-'),
  capitals: (name) => name.toUpperCase(),
  escaped: encodeURIComponent,
  'as a list': (name) => `${name}[]`,
}

/** Ways to damage a value, and the code of each where the schema takes the value. */
const values: Readonly<Record<string, readonly [damage: (value: string) => string, code: string]>> = {
  padded: [(value) => ` ${value} `, 'padded-value'],
  'a list in JSON': [(value) => JSON.stringify([value]), 'json-value'],
  'an object in JSON': [(value) => JSON.stringify({ value }), 'json-value'],
  'a dictionary of Python': [(value) => `{'value': '${value}'}`, 'printed-value'],
  'an object of Java': [() => 'com.acme.Member@1b2c3d4', 'printed-value'],
  undefined: [() => 'undefined', 'placeholder-value'],
  'a template': [(value) => `${value}{{value}}`, 'placeholder-value'],
  'a zero-width space': [(value) => `\u200b${value}`, 'invisible-character'],
  'an entity': [(value) => `${value}&amp;`, 'escaped-text'],
  'an escape': [(value) => `${value} %C3%AB`, 'escaped-text'],
  'read as Windows-1252': [() => 'ZoÃ«', 'misread-text'],
  'with a lost character': [(value) => `${value}\ufffd`, 'replaced-character'],
}

async function sendLine(server: Server, contract: Contract, line: string): Promise<void> {
  const unquoted = (text = '') => text.replaceAll(`'\\''`, "'")
  const word = `'((?:[^']|'\\\\'')*)'`
  const { pathname, search } = new URL(unquoted(new RegExp(`^curl (?:-X \\w+ )?${word}`).exec(line)?.[1]))
  const fields = Array.from(line.matchAll(new RegExp(`(?:-F|--form-string) ${word}`, 'g')), ([, field]) => {
    const [, name = '', value = ''] = /^(.*?)=(.*)$/s.exec(unquoted(field)) ?? []
    const [, file, type] = /^@([\w.]+);type=(.*)$/.exec(value) ?? []
    return [name, file === undefined ? value : fixtureFile(file, type)] as const
  })
  const form = contract.form && multipart(fields)
  const headers = { authorization: 'Bearer token-admin', ...form?.headers }
  await server.app.inject({ method: contract.method, url: pathname + search, headers, payload: form?.body })
}

t.test('one mistake is one violation, and its corrected line leaves none', async (t) => {
  const server = await build(t)
  for (const contract of all) {
    const check = async (what: string, changes: Parameters<typeof requestOf>[1], codes: RegExp) => {
      await send(server, contract, changes)
      const { violations } = await lastExchange(server)
      const [violation, ...others] = violations
      t.match(violation?.code, codes, `${contract.id}, ${what}`)
      t.same(others, [], `${contract.id}, ${what}: nothing else is told`)
      if (violation?.corrected === undefined) return
      await sendLine(server, contract, violation.corrected)
      t.same((await lastExchange(server)).violations, [], `${contract.id}, ${what}: ${violation.corrected}`)
    }
    for (const part of ['query', 'form'] as const)
      for (const [name, schema] of Object.entries<TSchema>(contract[part]?.properties ?? {})) {
        if (isFile(schema)) continue
        const value = String(schema.examples?.[0])
        for (const [way, write] of Object.entries(names))
          if (write(name) !== name && (part === 'form' || way !== 'escaped'))
            await check(`${name}: ${way}`, { [part]: { [name]: undefined, [write(name)]: value } }, /^misnamed-/)
        for (const [way, [damage, code]] of Object.entries(values))
          await check(
            `${name}: ${way}`,
            { [part]: { [name]: damage(value) } },
            new RegExp(`^(?:invalid-parameter|${code})$`),
          )
      }
  }
})
