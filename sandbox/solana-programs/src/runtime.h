// What a Solana program needs of its runtime, without any library: types, the loader's input, errors, system calls.
//
// Two limits of the machine shape everything here. A stack frame has 512 bytes, so whatever is larger lives on the heap,
// which the runtime hands out zeroed at a fixed address. And our linker (link-program.ts) places code only: a constant in a
// data section would be lost, so texts and keys come as integers from ids.generated.h.
#pragma once
#include "ids.generated.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned __int128 u128;

#define INLINE static inline __attribute__((always_inline))
// A real call: keeps the stack frames of the callers small.
#define FUNCTION static __attribute__((noinline, unused))

// The C structures of the runtime's CPI interface (solana-program-runtime, SolAccountInfo and friends).
typedef struct {
  u8 *key;
  u64 *lamports;
  u64 data_length;
  u8 *data;
  u8 *owner;
  u64 rent_epoch;
  u8 is_signer, is_writable, is_executable;
} Account;
typedef struct {
  u8 *key;
  u8 is_writable, is_signer;
} AccountMeta;
typedef struct {
  u8 *program_id;
  AccountMeta *accounts;
  u64 account_count;
  u8 *data;
  u64 data_length;
} Instruction;
typedef struct {
  u8 *bytes;
  u64 length;
} Seed;
typedef struct {
  Seed *seeds;
  u64 count;
} SignerSeeds;

extern u64 sol_invoke_signed_c(Instruction *, Account *, u64, SignerSeeds *, u64);
extern u64 sol_create_program_address(Seed *, u64, u8 *, u8 *);
extern u64 sol_try_find_program_address(Seed *, u64, u8 *, u8 *, u8 *);
extern u64 sol_get_clock_sysvar(u64 *);

enum { MAX_ACCOUNTS = 32, MAX_SEEDS = 5, MAX_METAS = 12, KEY_BYTES = 32 };

// Everything that outlives a function: at the start of the heap.
typedef struct {
  Account accounts[MAX_ACCOUNTS];
  u64 account_count;
  u8 *program_id, *data;
  u64 data_length;
  u64 clock[5]; // slot, epoch start, epoch, leader schedule epoch, unix time
  AccountMeta metas[MAX_METAS];
  Instruction instruction;
  u8 instruction_data[32];
  Seed seeds[MAX_SEEDS];
  SignerSeeds signer_seeds;
  u8 seed_text[MAX_SEEDS][KEY_BYTES];
  u8 derived_key[KEY_BYTES];
  u8 bump[8];
} Memory;
#define MEMORY ((Memory *)0x300000000ULL)
// A program's own working memory, well behind the above.
#define PROGRAM_MEMORY 0x300004000ULL

#define ACCOUNT(index) (&MEMORY->accounts[index])
#define CURRENT_SLOT (MEMORY->clock[0])
#define CURRENT_TIME (MEMORY->clock[4])

#define REQUIRE(condition, error) \
  do { \
    if (!(condition)) return (error); \
  } while (0)
#define TRY(expression) \
  do { \
    u64 failure_ = (expression); \
    if (failure_) return failure_; \
  } while (0)

// The framework's own error codes (Anchor), which clients of both protocols know.
enum {
  UNKNOWN_INSTRUCTION = 101,
  INSTRUCTION_NOT_READABLE = 102,
  CONSTRAINT_MUT = 2000,
  CONSTRAINT_HAS_ONE = 2001,
  CONSTRAINT_SEEDS = 2006,
  CONSTRAINT_ADDRESS = 2012,
  TOKEN_WRONG_MINT = 2014,
  TOKEN_WRONG_OWNER = 2015,
  WRONG_DISCRIMINATOR = 3002,
  TOO_FEW_ACCOUNTS = 3005,
  WRONG_ACCOUNT_OWNER = 3007,
  WRONG_PROGRAM_ID = 3008,
  NOT_A_SIGNER = 3010,
  NOT_INITIALIZED = 3012,
};

// Fields of packed accounts are not aligned; the machine reads them all the same.
INLINE u64 read64(const u8 *at) { return *(const u64 *)at; }
INLINE u64 read32(const u8 *at) { return *(const u32 *)at; }
INLINE u64 read16(const u8 *at) { return *(const u16 *)at; }
INLINE void write64(u8 *at, u64 value) { *(u64 *)at = value; }
INLINE void write16(u8 *at, u64 value) { *(u16 *)at = (u16)value; }

FUNCTION u64 same_key(const u8 *left, const u8 *right) {
  return read64(left) == read64(right) && read64(left + 8) == read64(right + 8) && read64(left + 16) == read64(right + 16) &&
         read64(left + 24) == read64(right + 24);
}

// IS_KEY(key, TOKEN): whether the key is that of ids.generated.h.
FUNCTION u64 is_words(const u8 *key, u64 word0, u64 word1, u64 word2, u64 word3) {
  return read64(key) == word0 && read64(key + 8) == word1 && read64(key + 16) == word2 && read64(key + 24) == word3;
}
#define IS_KEY(key, NAME) is_words(key, ID_##NAME##_0, ID_##NAME##_1, ID_##NAME##_2, ID_##NAME##_3)

// Reads the loader's aligned input: accounts (one that was named before is a reference to it), data, program id.
INLINE u64 read_input(u8 *input) {
  enum { NOT_A_DUPLICATE = 0xff, DATA_OFFSET = 88, GROWTH_RESERVE = 10240 };
  Memory *memory = MEMORY;
  u64 count = read64(input);
  u8 *at = input + 8;
  REQUIRE(count <= MAX_ACCOUNTS, TOO_FEW_ACCOUNTS);
  memory->account_count = count;
  for (u64 index = 0; index < count; index++) {
    Account *account = ACCOUNT(index);
    if (at[0] != NOT_A_DUPLICATE) {
      *account = *ACCOUNT(at[0]);
      at += 8;
      continue;
    }
    account->is_signer = at[1];
    account->is_writable = at[2];
    account->is_executable = at[3];
    account->key = at + 8;
    account->owner = at + 40;
    account->lamports = (u64 *)(at + 72);
    account->data_length = read64(at + 80);
    account->data = at + DATA_OFFSET;
    at += DATA_OFFSET + account->data_length + GROWTH_RESERVE;
    at = (u8 *)(((u64)at + 7) & ~7ULL);
    account->rent_epoch = read64(at);
    at += 8;
  }
  memory->data_length = read64(at);
  memory->data = at + 8;
  memory->program_id = at + 8 + memory->data_length;
  REQUIRE(memory->data_length >= 8, INSTRUCTION_NOT_READABLE);
  return sol_get_clock_sysvar(memory->clock);
}

// An account of `owner` that starts with this discriminator and has at least `length` bytes.
FUNCTION u64 check_account(Account *account, u8 *owner, u64 discriminator, u64 length) {
  REQUIRE(*account->lamports || !IS_KEY(account->owner, SYSTEM), NOT_INITIALIZED);
  REQUIRE(same_key(account->owner, owner), WRONG_ACCOUNT_OWNER);
  REQUIRE(account->data_length >= length && read64(account->data) == discriminator, WRONG_DISCRIMINATOR);
  return 0;
}
