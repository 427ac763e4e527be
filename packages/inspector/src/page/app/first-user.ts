import { computed, type ReadonlySignal } from "@preact/signals";

import { session } from "../api/session.ts";

/** True for the first user, who manages the others. */
export const isFirstUser: ReadonlySignal<boolean> = computed(() => session.value?.firstUser === true);
