import type { RecordsBehindMails } from '../tools/dashboard/api-facts.js'

export const recordsBehindMails: RecordsBehindMails = {
  path: 'invitations',
  name: 'Invitation',
  emptyHint: 'Each invitation sends a mail.',
  tones: { pending: 'waiting', accepted: 'good', declined: 'bad' },
  answerable: 'pending',
  answers: [
    { name: 'accept', label: 'Accept' },
    { name: 'decline', label: 'Decline' },
  ],
}
