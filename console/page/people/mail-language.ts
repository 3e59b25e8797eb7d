import type { InvitationLanguage } from '../generated/operations.js'
import type { Language } from '../messages/language.js'

/** Who invites is read in the language of the page on which it is done. */
export function mailLanguage(language: Language): InvitationLanguage {
  return language.toUpperCase() as Uppercase<Language>
}
