import { Component } from 'preact'
import type { CollectionName } from '../../../../schemas/fixtures.js'
import { keyOf } from '../../../world/state/collections.js'
import { linkTo } from '../../address.js'
import { visible } from '../../parts/code.js'
import type { StateRecord } from '../../shapes.js'

/** Characters of a value that a cell shows. */
const MOST = 120

interface Props {
  readonly collection: CollectionName
  readonly record: StateRecord
  readonly columns: readonly string[]
  readonly open: string | undefined
}

/** One record in the table; drawn again only when it changes. */
export class RecordRow extends Component<Props> {
  override shouldComponentUpdate({ record, columns, open }: Props): boolean {
    const { props } = this
    const isOpen = (key: string | undefined) => key === keyOf(props.collection, props.record)
    return record !== props.record || columns !== props.columns || isOpen(open) !== isOpen(props.open)
  }

  override render({ collection, record, columns, open }: Props) {
    const key = keyOf(collection, record)
    return (
      // The link is for the keyboard; the rest of the row does the same.
      <tr
        onClick={({ target }) => {
          if (!(target as Element).closest('a') && getSelection()?.isCollapsed)
            location.hash = linkTo('state', collection, key)
        }}
      >
        <th scope="row">
          <a
            href={linkTo('state', collection, key)}
            aria-current={key === open ? 'true' : undefined}
            aria-label={`Edit ${key}`}
          >
            Edit
          </a>
        </th>
        {columns.map((column) => (
          <td key={column}>
            <bdi>{cell(record[column])}</bdi>
          </td>
        ))}
      </tr>
    )
  }
}

function cell(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return visible(text.length > MOST ? `${text.slice(0, MOST)} …` : text)
}
