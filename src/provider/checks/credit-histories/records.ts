import { valueText } from '../../shape.js'
import type { OperationChecks } from '../check.js'
import { isSuccess, member } from '../session.js'
import { allRecords, EMPTY, isOther, isText, page, pageOf } from './page.js'

/** What the document says of the records of a history. */
export const records: OperationChecks = [
  {
    cites: ['S5.3'],
    run: async (session, contract) => {
      const { organization_uuid: wanted } = session.values.complete(contract).query
      const elsewhere = await page(session, contract, { organization_uuid: session.values.unknownLike(String(wanted)) })
      const strange = isSuccess(elsewhere) ? pageOf(elsewhere).histories.length : 0
      if (strange > 0)
        session.findings.drifts({
          cites: ['S5.3'],
          operation: contract.id,
          where: 'histories',
          message: `The history of an organization that does not exist contains ${strange} records.`,
        })
      const records = await allRecords(session, contract)
      if (records.length === 0) return session.findings.unchecked(['S5.3'], contract.id, EMPTY)
      const others = records.filter((one) => isOther(member(one, 'organization_uuid'), wanted))
      if (others.length === 0) return session.findings.holds(['S5.3'], contract.id)
      session.findings.drifts({
        cites: ['S5.3'],
        operation: contract.id,
        where: 'histories[*].organization_uuid',
        message: 'It is not the organization that was requested.',
        count: others.length,
        of: records.length,
      })
    },
  },
  {
    cites: ['S5.9'],
    run: async (session, contract) => {
      const records = await allRecords(session, contract)
      if (records.length === 0) return session.findings.unchecked(['S5.9'], contract.id, EMPTY)
      const ids = records.map((one) => member(one, 'id'))
      const twice = ids.length - new Set(ids).size
      if (twice > 0)
        session.findings.drifts({
          cites: ['S5.9', 'S5.2'],
          operation: contract.id,
          where: 'histories[*].id',
          message: 'Records have the same identifier.',
          count: twice,
          of: ids.length,
        })
      const odd = records.filter((one) => isText(member(one, 'currency')) && !isCurrency(member(one, 'currency')))
      if (odd.length === 0) return session.findings.holds(['S5.9'], contract.id)
      session.findings.drifts({
        cites: ['S5.9'],
        operation: contract.id,
        where: 'histories[*].currency',
        message: `It must be a currency code such as EUR, not ${valueText(member(odd[0], 'currency'))}.`,
        count: odd.length,
        of: records.length,
      })
    },
  },
  {
    cites: ['S5.10'],
    run: async (session, contract) => {
      const records = await allRecords(session, contract)
      const kinds = new Set(records.map((one) => member(one, 'type')))
      if (kinds.has('purchase')) return session.findings.holds(['S5.10'], contract.id)
      const spelt = [...kinds].find((kind) => /^purchases?d?$/i.test(String(kind)))
      // All four kinds are there, and so the purchases must be, by another name.
      if (spelt === undefined && kinds.size < 4)
        return session.findings.unchecked(
          ['S5.10'],
          contract.id,
          records.length === 0 ? EMPTY : 'No record is a purchase.',
        )
      session.findings.drifts({
        cites: ['S5.10'],
        operation: contract.id,
        where: 'histories[*].type',
        message: `The value 'purchase' does not occur among ${[...kinds].map(valueText).join(', ')}.`,
      })
    },
  },
]

/** As ISO 4217 writes them, or as ledgers do. */
function isCurrency(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[A-Z]{3,5}|[a-z]{3}|\d{3})$/.test(value)
}
