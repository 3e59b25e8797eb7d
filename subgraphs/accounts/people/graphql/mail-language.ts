import { graphqlEnum } from '../../../../kernel/subgraph.js'
import type { InvitationLanguage } from '../invitation-message.js'

/** What e-mails to people are written in. Its name is older than the other e-mails. */
export const MailLanguageEnum = graphqlEnum<InvitationLanguage>(
  'InvitationLanguage',
  'What an e-mail to a person is written in.',
  { en: 'English.', pt: 'Portuguese.' },
)
export const LANGUAGE = { nullable: true, description: 'Of the e-mail; by default English.' } as const
