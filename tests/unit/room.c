/* Link a room and all rooms below it: if a source calls a room above, the build fails. */
int main(void)
{
	return 0;
}
