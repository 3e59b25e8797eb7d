import type { InvitationLanguage } from '../generated/operations.js'
import type { Language } from '../messages/language.js'

const NAMES = { en: 'EN', pt: 'PT' } as const satisfies Record<Language, InvitationLanguage>

/** Who invites is read in the language of the page on which it is done. */
export function mailLanguage(language: Language): InvitationLanguage {
  return NAMES[language]
}
