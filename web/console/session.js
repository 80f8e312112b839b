// Whether somebody is signed in, and whether the network is there.
import { observable } from "../parts/observable.js";
import { onSignedOut, post } from "./api.js";
import { isMiniApp } from "./telegram.js";

/** loading | in | out | failed */
export const phase = observable("loading");
export const isOnline = observable(navigator.onLine);

const door = document.documentElement.dataset.door;

onSignedOut(() => phase.set("out"));
addEventListener("online", () => isOnline.set(true));
addEventListener("offline", () => isOnline.set(false));

/** A Mini App cannot sign in again by itself, since Telegram's data about its user is valid only for some minutes. */
export const canSignIn = !isMiniApp;

/** Goes to the door, which returns to the current route after signing in. */
export const signIn = () => location.assign(door + location.hash);

export async function signOut() {
  await post("/api/sign-out");
  phase.set("out");
}
