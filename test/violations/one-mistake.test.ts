import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import type { Contract } from '../../src/engine/contract/contract.js'
import { isFile } from '../../src/engine/contract/fields.js'
import { build, contracts, fixtureFile, lastExchange, multipart, type requestOf, type Server, send } from '../helper.js'

const nameMistakes: Readonly<Record<string, (name: string) => string>> = {
  'camel case': (name) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  hyphens: (name) => name.replaceAll('_', '-'),
  capitals: (name) => name.toUpperCase(),
  escaped: encodeURIComponent,
  'as a list': (name) => `${name}[]`,
}

/** Ways to damage a value, each with the code of its violation if the schema accepts the result. */
const valueMistakes: Readonly<Record<string, readonly [damage: (value: string) => string, code: string]>> = {
  'blanks around it': [(value) => ` ${value} `, 'padded-value'],
  'a JSON list': [(value) => JSON.stringify([value]), 'json-value'],
  'a JSON object': [(value) => JSON.stringify({ value }), 'json-value'],
  'a Python dictionary': [(value) => `{'value': '${value}'}`, 'printed-value'],
  'a Java object': [() => 'com.acme.Member@1b2c3d4', 'printed-value'],
  undefined: [() => 'undefined', 'placeholder-value'],
  'a template': [(value) => `${value}{{value}}`, 'placeholder-value'],
  'a zero-width space': [(value) => `\u200b${value}`, 'invisible-character'],
  'an HTML entity': [(value) => `${value}&amp;`, 'escaped-text'],
  'a URL escape': [(value) => `${value} %C3%AB`, 'escaped-text'],
  'read as Windows-1252': [() => 'ZoÃ«', 'misread-text'],
  'a lost character': [(value) => `${value}\ufffd`, 'replaced-character'],
}

async function sendCorrection(server: Server, contract: Contract, line: string): Promise<void> {
  const unquoted = (text = '') => text.replaceAll(`'\\''`, "'")
  const quoted = `'((?:[^']|'\\\\'')*)'`
  const { pathname, search } = new URL(unquoted(new RegExp(`^curl (?:-X \\w+ )?${quoted}`).exec(line)?.[1]))
  const fields = Array.from(line.matchAll(new RegExp(`(?:-F|--form-string) ${quoted}`, 'g')), ([, field]) => {
    const [, name = '', value = ''] = /^(.*?)=(.*)$/s.exec(unquoted(field)) ?? []
    const [, file, type] = /^@([\w.]+);type=(.*)$/.exec(value) ?? []
    return [name, file === undefined ? value : fixtureFile(file, type)] as const
  })
  const form = contract.form && multipart(fields)
  const headers = { authorization: 'Bearer token-admin', ...form?.headers }
  await server.app.inject({ method: contract.method, url: pathname + search, headers, payload: form?.body })
}

t.test('one mistake is one violation, and its correction has none', async (t) => {
  const server = await build(t)
  for (const contract of contracts) {
    const check = async (label: string, changes: Parameters<typeof requestOf>[1], codes: RegExp) => {
      await send(server, contract, changes)
      const { violations } = await lastExchange(server)
      const [violation, ...others] = violations
      t.match(violation?.code, codes, `${contract.id}, ${label}`)
      t.same(others, [], `${contract.id}, ${label}: no other violation`)
      if (violation?.corrected === undefined) return
      await sendCorrection(server, contract, violation.corrected)
      t.same((await lastExchange(server)).violations, [], `${contract.id}, ${label}: ${violation.corrected}`)
    }
    for (const part of ['query', 'form'] as const)
      for (const [name, schema] of Object.entries<TSchema>(contract[part]?.properties ?? {})) {
        if (isFile(schema)) continue
        const value = String(schema.examples?.[0])
        for (const [way, write] of Object.entries(nameMistakes))
          if (write(name) !== name && (part === 'form' || way !== 'escaped'))
            await check(`${name}: ${way}`, { [part]: { [name]: undefined, [write(name)]: value } }, /^misnamed-/)
        for (const [way, [damage, code]] of Object.entries(valueMistakes))
          await check(
            `${name}: ${way}`,
            { [part]: { [name]: damage(value) } },
            new RegExp(`^(?:invalid-parameter|${code})$`),
          )
      }
  }
})
