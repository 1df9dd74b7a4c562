/** Version of this interface. A plugin exports the one that it was made for, and is refused by a program of another one. */
export const interfaceVersion = 1;
