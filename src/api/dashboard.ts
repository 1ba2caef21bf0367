import type { DashboardKnowledge } from '../tools/dashboard/knowledge.js'

export const mailSubjects: DashboardKnowledge['mailSubjects'] = {
  path: 'invitations',
  name: 'Invitation',
  origin: 'An invitation sends one.',
  tones: { pending: 'waiting', accepted: 'good', declined: 'bad' },
  answerable: 'pending',
  answers: [
    { name: 'accept', label: 'Accept' },
    { name: 'decline', label: 'Decline' },
  ],
}
