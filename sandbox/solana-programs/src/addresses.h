// Program-derived addresses: seeds are laid out in memory one after the other, then compared or signed with.
#pragma once
#include "runtime.h"

INLINE void seed_words(u64 index, u64 word0, u64 word1, u64 word2, u64 length) {
  u8 *text = MEMORY->seed_text[index];
  write64(text, word0);
  write64(text + 8, word1);
  write64(text + 16, word2);
  MEMORY->seeds[index].bytes = text;
  MEMORY->seeds[index].length = length;
}
// SEED_TEXT(0, LENDING_ADMIN): a text of ids.generated.h as the seed at that place.
#define SEED_TEXT(index, NAME) seed_words(index, SEED_##NAME##_0, SEED_##NAME##_1, SEED_##NAME##_2, SEED_##NAME##_LENGTH)

INLINE void seed_key(u64 index, u8 *key) {
  MEMORY->seeds[index].bytes = key;
  MEMORY->seeds[index].length = KEY_BYTES;
}

INLINE void seed_bump(u64 index, u8 bump) {
  MEMORY->bump[0] = bump;
  MEMORY->seeds[index].bytes = MEMORY->bump;
  MEMORY->seeds[index].length = 1;
}

// Whether the seeds, their bump included, derive `key`.
FUNCTION u64 derives(u64 seed_count, u8 *program_id, u8 *key) {
  return sol_create_program_address(MEMORY->seeds, seed_count, program_id, MEMORY->derived_key) == 0 &&
         same_key(MEMORY->derived_key, key);
}

// Whether the seeds derive `key` with their highest good bump, which is then in MEMORY->bump.
FUNCTION u64 finds(u64 seed_count, u8 *program_id, u8 *key) {
  return sol_try_find_program_address(MEMORY->seeds, seed_count, program_id, MEMORY->derived_key, MEMORY->bump) == 0 &&
         same_key(MEMORY->derived_key, key);
}

INLINE void add_meta(u64 index, Account *account, u8 is_writable, u8 is_signer) {
  MEMORY->metas[index].key = account->key;
  MEMORY->metas[index].is_writable = is_writable;
  MEMORY->metas[index].is_signer = is_signer;
}

// Calls a program with the metas and data laid out; `seed_count` 0: with the transaction's own signatures only.
FUNCTION u64 call_program(u8 *program_id, u64 meta_count, u64 data_length, u64 seed_count) {
  Memory *memory = MEMORY;
  memory->instruction.program_id = program_id;
  memory->instruction.accounts = memory->metas;
  memory->instruction.account_count = meta_count;
  memory->instruction.data = memory->instruction_data;
  memory->instruction.data_length = data_length;
  memory->signer_seeds.seeds = memory->seeds;
  memory->signer_seeds.count = seed_count;
  return sol_invoke_signed_c(&memory->instruction, memory->accounts, memory->account_count, &memory->signer_seeds, seed_count ? 1 : 0);
}
